--#EVENT device2 event
-- A pump said something: keep its level, and tell the subscribers of one that is too high.
local levels = require("pumps.levels")

for _, point in ipairs(event.payload) do
  local level = levels.read(point.values.data_in)
  if level then
    if level > levels.high then
      Interface.trigger{event = "alarm", data = {device = event.identity, level = level}}
    end
    Keystore.set{key = "level of " .. event.identity, value = tostring(level)}
    log.info(event.identity .. " is at " .. level)
  end
end
