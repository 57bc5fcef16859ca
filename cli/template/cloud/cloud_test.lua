local function answers(code, body)
  fake("Http", "get", { status_code = code, headers = {}, body = body })
end

function test_the_devices_of_the_cloud_are_kept()
  answers(200, '{"devices": [{"id": "a", "values": {"temperature": 21}}]}')
  expect(event("timer", "timer", {})):equals(1)
  expect(require("devices").get("a")):equals { temperature = 21 }
  expect(calls("Http", "get")[1].headers.authorization):equals("Bearer {{token}}")
end

function test_a_cloud_that_fails_is_logged()
  answers(503, "down")
  expect(event("timer", "timer", {})):equals(0)
  answers(200, "no json")
  event("timer", "timer", {})
  expect(printed("warn")):equals {
    "The cloud was not read: the cloud answered 503",
    "The cloud was not read: no list of devices",
  }
end

function test_a_webhook_needs_its_secret()
  local sent = { id = "b", values = { temperature = 3 } }
  expect(request("POST", "/webhook/none", { body = sent }).code):equals(404)
  Keystore.set { key = "webhook", value = "s3cret" }
  expect(request("POST", "/webhook/other", { body = sent }).code):equals(404)
  expect(request("POST", "/webhook/s3cret", { body = { id = 1 } }).code):equals(400)
  expect(request("POST", "/webhook/s3cret", { body = sent }).code):equals(204)
  expect(require("devices").get("b")):equals { temperature = 3 }
end

function test_polling_needs_a_key_of_the_platform()
  expect(request("POST", "/poll").code):equals(401)
end
