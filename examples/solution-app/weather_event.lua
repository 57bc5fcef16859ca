--#EVENT weather event
--#RETRY 3 10
-- A station did something: keep what it said, the last by its name, and all of it over time.
local must = require("stations.must")

for _, point in ipairs(event.payload) do
  if point.readings then
    must(Tsdb.write {
      metrics = point.readings,
      tags = { station = event.identity },
      ts = point.timestamp,
    })
    local last = { readings = point.readings, timestamp = point.timestamp }
    must(Keystore.command { key = "last", command = "hset", args = { event.identity, last } })
  end
end
require("stations.summary").begin()
