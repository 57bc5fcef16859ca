--#ENDPOINT GET /interface
return require("definition").of(request.headers.host)

--#ENDPOINT GET /info
return {
  group_id_required = false,
  name = "My insight",
  description = "Functions of my own",
}

--#ENDPOINT POST /insights
local functions = require("functions")
local asked = request.body or {}
local offset = asked.offset or 0
local page = functions.list()
for index = offset + 1, math.min(#functions.all, offset + (asked.limit or #functions.all)) do
  page[#page + 1] = functions.all[index].info
end
return { total = #functions.all, count = #page, insights = page }

--#ENDPOINT GET /insight/{function_id}
local found = require("functions").find(request.parameters.function_id)
if not found then
  response.code = 404
  return { message = "There is no such function.", status = 404, name = "NotFound" }
end
return found.info

--#ENDPOINT POST /process
local functions = require("functions")
local args = request.body and request.body.args or {}
local found = functions.find(args.function_id)
if not found then
  response.code = 400
  return { message = "There is no such function.", status = 400, name = "BadRequest" }
end
return functions.run(found, request.body.data, args.constants or {})
