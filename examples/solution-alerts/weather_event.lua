--#EVENT weather event
--#RETRY 3 10
-- A station said something. It is told first and kept then: a call that ends between the two tells
-- once more, and no alert is lost.
local must = require("alerts.must")
local rule = require("alerts.rule")
local quietSeconds = 600

for _, point in ipairs(event.payload or {}) do
  local temperature = point.readings and point.readings.temperature
  if temperature then
    local get = { key = "stations", command = "hget", args = { event.identity } }
    local kept = must(Keystore.command(get)).value or {}
    local level, toldAt = rule(temperature, kept.level), kept.toldAt or 0
    if level ~= kept.level then
      if level == "critical" and os.time() - toldAt >= quietSeconds then
        require("alerts.tell")(event.identity, temperature)
        toldAt = os.time()
      end
      local set = { event.identity, { level = level, toldAt = toldAt } }
      must(Keystore.command { key = "stations", command = "hset", args = set })
    end
  end
end
