--#ENDPOINT GET /webhook
--#SECURITY apiKey platform
-- The URL to which the cloud is to send changes: whoever has it can send some.
return Cloud.getCallbackUrl { event = "deviceChanged" }

--#ENDPOINT POST /poll
--#SECURITY apiKey platform
-- Begins to ask each minute; one timer is enough.
return Timer.sendInterval { timer_id = "poll", duration = 60000, message = "poll" }
