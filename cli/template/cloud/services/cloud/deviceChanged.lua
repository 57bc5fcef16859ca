-- The cloud sends this to the URL that GET /webhook gives.
local sent = event.body
if type(sent) ~= "table" or type(sent.id) ~= "string" or type(sent.values) ~= "table" then
  log.warn("The cloud sent no device with an id and values")
  return false
end
require("devices").keep(sent.id, sent.values)
return true
