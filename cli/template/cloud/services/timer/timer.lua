local devices = require("devices")

local found, problem = require("cloud").devices()
if not found then
  log.warn("The cloud was not read: " .. problem)
  return 0
end
for _, device in ipairs(found) do devices.keep(device.id, device.values) end
return #found
