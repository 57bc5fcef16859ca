function test_the_devices_of_the_cloud_are_kept()
  fake("Cloud", "listDevices", { devices = { { id = "a", values = { temperature = 21 } } } })
  expect(event("timer", "timer", {})):equals(1)
  expect(require("devices").get("a")):equals { temperature = 21 }
end

function test_a_cloud_that_fails_is_logged()
  fake("Cloud", "listDevices", { type = "ServerError", error = "it is down", status = 503 })
  expect(event("timer", "timer", {})):equals(0)
  fake("Cloud", "listDevices", "no json")
  event("timer", "timer", {})
  expect(printed("warn")):equals {
    "The cloud was not read: it is down",
    "The cloud was not read: no list of devices",
  }
end

function test_what_the_cloud_sends_is_kept()
  local sent = { id = "b", values = { temperature = 3 } }
  expect(event("cloud", "deviceChanged", { body = sent })):equals(true)
  expect(require("devices").get("b")):equals { temperature = 3 }
  expect(event("cloud", "deviceChanged", { body = { id = 1 } })):equals(false)
  expect(event("cloud", "deviceChanged", { body = "text" })):equals(false)
end

function test_a_call_without_the_token_is_refused_before_it_is_sent()
  expect(Cloud.listDevices {}):is_error(400)
end

function test_the_set_up_needs_a_key_of_the_platform()
  expect(request("GET", "/webhook").code):equals(401)
  expect(request("POST", "/poll").code):equals(401)
end
