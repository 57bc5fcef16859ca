-- Run by: npx millrace solution test examples/solution-alerts

local function said(identity, temperature)
  local point = { readings = { temperature = temperature } }
  event("weather", "event", { type = "data_in", identity = identity, payload = { point } })
end

function test_who_goes_critical_is_told_of_once()
  fake("Notification", "send", { sid = "NT1" })
  said("a", 15)
  said("a", 19.5)
  said("a", 21)
  said("b", 25)
  local told = calls("Notification", "send")
  expect(#told):equals(2)
  expect(told[1].Title):equals("a is critical")
  expect(told[1].Body):equals("It is 19.5 °C there.")
  expect(told[2].Title):equals("b is critical")
end

function test_what_wavers_around_the_limit_is_not_told_again()
  fake("Notification", "send", { sid = "NT1" })
  for _, temperature in ipairs { 19.1, 18.5, 19.1, 17, 19.1 } do said("a", temperature) end
  expect(#calls("Notification", "send")):equals(1)
end

function test_what_could_not_be_told_is_tried_again()
  fake("Notification", "send", { type = "ServerError", error = "full", status = 503 })
  expect(function() said("a", 20) end):fails("full")
  fake("Notification", "send", { sid = "NT1" })
  said("a", 20)
  expect(#calls("Notification", "send")):equals(2)
end
