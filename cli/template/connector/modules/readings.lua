-- What a device writes to data_in: a JSON object of numbers by name.
local readings = {}

function readings.decode(text)
  local found = {}
  if type(text) ~= "string" then return found end
  local values = json.parse(text)
  if type(values) ~= "table" then return found end
  for name, value in pairs(values) do
    if type(value) == "number" then found[name] = value end
  end
  return found
end

return readings
