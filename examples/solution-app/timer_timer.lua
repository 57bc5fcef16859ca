--#EVENT timer timer
local made = require("stations.summary").make()
if made.temperature then
  log.info(made.temperature.count .. " temperatures, at most " .. made.temperature.max)
end
