--#ENDPOINT GET /stations
local must = require("stations.must")
local last = must(Keystore.command { key = "last", command = "hgetall" }).value or {}
local names = must(Keystore.command { key = "names", command = "hgetall" }).value or {}
local stations = setmetatable({}, { __type = "slice" })
for id, said in pairs(last) do
  stations[#stations + 1] = {
    id = id,
    name = names[id],
    readings = said.readings,
    timestamp = said.timestamp,
  }
end
table.sort(stations, function(one, other) return one.id < other.id end)
return { stations = stations }

--#ENDPOINT GET /stations/{id}
local must = require("stations.must")
local id = request.parameters.id
local device = Weather.getIdentity { identity = id }
if device.status == 404 then
  response.code = 404
  return { error = "There is no such station." }
end
must(device)
local name = must(Keystore.command { key = "names", command = "hget", args = { id } }).value
return { id = id, name = name, readings = device.readings, lastseen = device.lastseen }

--#ENDPOINT GET /stations/{id}/history
local minutes = tonumber(request.parameters.minutes or 10)
if not minutes or minutes < 1 or minutes > 1440 or minutes % 1 ~= 0 then
  response.code = 400
  return { error = "minutes is a number from 1 to 1440." }
end
local read = Tsdb.query {
  metrics = { request.parameters.metric or "temperature" },
  tags = { station = request.parameters.id },
  relative_start = string.format("-%dm", minutes),
  aggregate = { "avg" },
  sampling_size = "1m",
  order_by = "asc",
}
if read.status == 400 then
  response.code = 400
  return { error = read.error }
end
return require("stations.must")(read)

--#ENDPOINT GET /summary
return require("stations.must")(Keystore.get { key = "summary" }).value or {}

--#ENDPOINT PUT /stations/{id}/name
--#SECURITY apiKey platform
local name = type(request.body) == "table" and request.body.name
if type(name) ~= "string" or #name > 100 then
  response.code = 422
  return { error = "name is a text of up to 100 bytes." }
end
local naming = { key = "names", command = "hset", args = { request.parameters.id, name } }
require("stations.must")(Keystore.command(naming))
