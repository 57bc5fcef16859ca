function test_readings_are_numbers_by_name()
  local decode = require("readings").decode
  expect(decode('{"temperature": 21.5, "note": "ok"}')):equals { temperature = 21.5 }
  expect(decode("no json")):equals {}
  expect(decode(nil)):equals {}
end

function test_subscribers_get_each_event_with_its_readings()
  fake("Interface", "trigger", {})
  event("device2", "event", {
    type = "data_in",
    identity = "sensor-1",
    payload = { { values = { data_in = '{"temperature": 21.5}' }, timestamp = 1 } },
  })
  local triggered = calls("Interface", "trigger")
  expect(#triggered):equals(1)
  expect(triggered[1].data.identity):equals("sensor-1")
  expect(triggered[1].data.payload[1].readings.temperature):equals(21.5)
end

function test_a_device_shows_its_readings()
  Device2.addIdentity { identity = "sensor-1" }
  fake("Device2", "getIdentity", {
    identity = "sensor-1",
    state = { data_in = { reported = '{"humidity": 40}', timestamp = 1 } },
  })
  local device = event("interface", "getIdentity", { identity = "sensor-1" })
  expect(device.readings):equals { humidity = 40 }
end

function test_a_device_that_is_not_there_is_an_error()
  expect(event("interface", "getIdentity", { identity = "nobody" })):is_error(404)
end
