let latestMessage = CommonTableExpression(named: "latestMessage", request: Message.all())
