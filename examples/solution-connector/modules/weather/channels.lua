-- What the stations' channels are called.
local channels = {}

local names = { ["001"] = "temperature", ["002"] = "pressure", ["003"] = "wind" }

-- The readings in a value of data_in, {"001": 7.5}, by name; nil where it has none.
function channels.read(text)
  local given = text and from_json(text)
  if type(given) ~= "table" then return nil end
  local readings
  for channel, name in pairs(names) do
    if type(given[channel]) == "number" then
      readings = readings or {}
      readings[name] = given[channel]
    end
  end
  return readings
end

return channels
