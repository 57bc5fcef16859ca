local readings = require("readings")

for _, point in ipairs(event.payload or {}) do
  point.readings = readings.decode(point.values and point.values.data_in)
end
return Interface.trigger { event = "event", data = event }
