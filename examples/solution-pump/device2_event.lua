--#EVENT device2 event
-- A pump said something: keep its level, and alert the subscribers of one that is too high.
local levels = require("pumps.levels")

for _, point in ipairs(event.payload) do
  local level = levels.read(point.values.data_in)
  if level then
    local isHigh = level > levels.high
    Keystore.set{key = "level of " .. event.identity, value = tostring(level)}
    -- Subscribers ask for the level at once, so it is kept first.
    if isHigh then
      Interface.trigger{event = "alarm", data = {device = event.identity, level = level}}
    end
    log.info(event.identity .. " is at " .. level)
  end
end
