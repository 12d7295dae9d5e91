struct Tag: Decodable, FetchableRecord {}
