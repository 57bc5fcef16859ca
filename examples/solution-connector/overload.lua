-- Puts the names of readings into what subscribers see. The operations below stay what they were.
local channels = require("weather.channels")

function Device2.getIdentity(o)
  local device = murano.services.device2.getIdentity(o)
  if not device.error then
    local said = device.state and device.state.data_in
    device.readings = channels.read(said and said.reported)
  end
  return device
end

-- The connector's own handler forwards each event by this.
function Interface.trigger(o)
  for _, point in ipairs(o.data.payload) do
    point.readings = channels.read(point.values.data_in)
  end
  return murano.services.interface.trigger(o)
end
