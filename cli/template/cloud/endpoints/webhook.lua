--#ENDPOINT POST /webhook/{secret}
-- The secret is in the URL that the cloud was given. Set it once:
-- Keystore.set { key = "webhook", value = "<a long random text>" }
local known = Keystore.get { key = "webhook" }.value
if not known or request.parameters.secret ~= known then
  response.code = 404
  return { error = "There is no such webhook." }
end
local sent = request.body
if type(sent) ~= "table" or type(sent.id) ~= "string" or type(sent.values) ~= "table" then
  response.code = 400
  return { error = "A device has an id and values." }
end
require("devices").keep(sent.id, sent.values)
response.code = 204

--#ENDPOINT POST /poll
--#SECURITY apiKey platform
-- Begins to ask each minute; one timer is enough.
return Timer.sendInterval { timer_id = "poll", duration = 60000, message = "poll" }
