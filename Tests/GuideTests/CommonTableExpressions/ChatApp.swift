import Quarry
import QuarryTestSupport
import Testing

/// 'CTE Association Example: a Chat App': the latest messages of all chats.
struct ChatApp {
  struct Chat: Codable, Hashable, FetchableRecord, PersistableRecord {
    var id: Int64
    var title: String
  }

  struct Message: Codable, Hashable, FetchableRecord, PersistableRecord {
    var chatID: Int64
    var date: String
    var text: String
  }

  struct ChatInfo: Decodable, Hashable, FetchableRecord {
    /// The chat
    var chat: Chat

    /// The latest chat message, if any
    var latestMessage: Message?
  }

  @Test func latestMessages() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE chat (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE message (chatID INTEGER NOT NULL, date TEXT NOT NULL, text TEXT NOT NULL);
        INSERT INTO chat VALUES (1, 'Family'), (2, 'Work'), (3, 'Nobody');
        INSERT INTO message VALUES
          (1, '2024-05-01', 'Hello'), (1, '2024-05-03', 'Dinner?'), (2, '2024-05-04', 'Done'),
          (1, '2024-05-02', 'Hi'), (2, '2024-05-02', 'Started');
        """)

    // SELECT *, MAX(date) FROM message GROUP BY chatID
    let latestMessageRequest =
      Message
      .annotated(with: max(Column("date")))
      .group(Column("chatID"))

    // WITH latestMessage AS
    //   (SELECT *, MAX(date) FROM message GROUP BY chatID)
    let latestMessageCTE = CommonTableExpression(
      named: "latestMessage",
      request: latestMessageRequest)

    // ... JOIN latestMessage ON chat.id = latestMessage.chatID
    let latestMessage = Chat.association(
      to: latestMessageCTE,
      on: { chat, latestMessage in
        chat[Column("id")] == latestMessage[Column("chatID")]
      }
    )
    .order(Column("date").desc)

    // WITH latestMessage AS
    //   (SELECT *, MAX(date) FROM message GROUP BY chatID)
    // SELECT chat.*, latestMessage.*
    // FROM chat
    // LEFT JOIN latestMessage ON chat.id = latestMessage.chatID
    // ORDER BY latestMessage.date DESC
    let request =
      Chat
      .with(latestMessageCTE)
      .including(optional: latestMessage)
      .asRequest(of: ChatInfo.self)

    let chatInfos: [ChatInfo] = try dbQueue.read { db in
      try request.fetchAll(db)
    }

    try dbQueue.read { db throws in
      #expect(
        try sql(of: latestMessageRequest, in: db).sql
          == #"SELECT *, MAX("date") FROM "message" GROUP BY "chatID""#)
      #expect(
        try sql(of: request, in: db).sql == """
          WITH "latestMessage" AS (SELECT *, MAX("date") FROM "message" GROUP BY "chatID") \
          SELECT "chat".*, "latestMessage".* FROM "chat" \
          LEFT JOIN "latestMessage" ON "chat"."id" = "latestMessage"."chatID" \
          ORDER BY "latestMessage"."date" DESC
          """)
    }
    #expect(
      chatInfos == [
        ChatInfo(
          chat: Chat(id: 2, title: "Work"),
          latestMessage: Message(chatID: 2, date: "2024-05-04", text: "Done")),
        ChatInfo(
          chat: Chat(id: 1, title: "Family"),
          latestMessage: Message(chatID: 1, date: "2024-05-03", text: "Dinner?")),
        ChatInfo(chat: Chat(id: 3, title: "Nobody"), latestMessage: nil),
      ])
  }
}
