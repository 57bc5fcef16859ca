--#EVENT pumps alarm
-- The pump station's event; it may be better by now.
local now = Pumps.getLevel{device = alarm.device}
local level = now.level or now.error
log.warn(alarm.device .. " was at " .. alarm.level .. ", and is at " .. level)
