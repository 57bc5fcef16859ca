local devices = require("devices")

local answer = Cloud.listDevices {}
if answer.error or type(answer.devices) ~= "table" then
  log.warn("The cloud was not read: " .. (answer.error or "no list of devices"))
  return 0
end
for _, device in ipairs(answer.devices) do devices.keep(device.id, device.values) end
return #answer.devices
