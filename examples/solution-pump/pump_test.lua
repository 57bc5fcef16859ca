-- Run by: npx millrace solution test examples/solution-pump

local function says(level)
  local point = { values = { data_in = to_json { ["001"] = level } } }
  return { type = "data_in", identity = "pump-1", payload = { point } }
end

function test_a_level_is_kept()
  event("device2", "event", says(7.5))
  expect(Keystore.get { key = "level of pump-1" }.value):equals("7.5")
  expect(printed()):contains("pump-1 is at 7.5")
end

function test_a_high_level_is_kept_before_subscribers_are_told()
  fake("Interface", "trigger", function()
    expect(Keystore.get { key = "level of pump-1" }.value):equals("9.5")
  end)
  event("device2", "event", says(9.5))
  local told = calls("Interface", "trigger")
  expect(told):equals { { event = "alarm", data = { device = "pump-1", level = 9.5 } } }
end

function test_a_level_that_is_not_high_tells_nobody()
  event("device2", "event", says(8))
  expect(#calls("Interface", "trigger")):equals(0)
end

function test_a_recorded_event_without_a_level_does_nothing()
  event("device2", "event", event_from("events/connected.json"))
  expect(#calls("Keystore", "set")):equals(0)
end

function test_subscribers_ask_for_a_level()
  event("device2", "event", says(3.25))
  expect(event("interface", "getLevel", { device = "pump-1" })):equals { level = 3.25 }
  expect(event("interface", "getLevel", { device = "nobody" })):is_error(404)
end
