-- The device as it is, with its last readings by name.
local device = Device2.getIdentity { identity = operation.identity }
if device.error then return device end
local reported = device.state.data_in and device.state.data_in.reported
device.readings = require("readings").decode(reported)
return device
