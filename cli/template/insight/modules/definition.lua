-- The platform finds the calls of the protocol by their operationId.
local list = require("functions").list

local function operation(id, summary)
  return {
    operationId = id,
    summary = summary,
    tags = list { "insight" },
    responses = { ["200"] = { description = summary } },
  }
end

local definition = {}

function definition.of(host)
  return {
    swagger = "2.0",
    info = { title = "My insight", version = "1.0.0", description = "Functions of my own" },
    host = host,
    basePath = "/",
    schemes = list { "https" },
    consumes = list { "application/json" },
    produces = list { "application/json" },
    tags = list { { name = "insight", description = "Functions of my own" } },
    paths = {
      ["/info"] = { get = operation("info", "About the module") },
      ["/insights"] = { post = operation("listInsights", "The functions") },
      ["/insight/{function_id}"] = { get = operation("insight", "One function") },
      ["/process"] = { post = operation("process", "Run a function") },
    },
  }
end

return definition
