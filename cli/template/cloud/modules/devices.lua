-- What the cloud last said of each device.
local devices = {}

function devices.keep(id, values)
  return Keystore.set { key = "device." .. id, value = json.stringify(values) }
end

function devices.get(id)
  local found = Keystore.get { key = "device." .. id }
  return found.value and json.parse(found.value)
end

return devices
