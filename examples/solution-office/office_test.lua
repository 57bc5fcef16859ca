-- Run by: npx millrace solution test examples/solution-office --with pumps=examples/solution-pump

local alarm = { device = "pump-1", level = 9.5 }

function test_an_alarm_tells_what_the_pump_says_now()
  fake("Pumps", "getLevel", { level = 7 })
  event("pumps", "alarm", alarm)
  expect(printed("warn")):equals { "pump-1 was at 9.5, and is at 7" }
end

function test_the_pump_station_itself_knows_no_pump_yet()
  event("pumps", "alarm", alarm)
  expect(printed("warn")):equals { "pump-1 was at 9.5, and is at There is no pump pump-1" }
end
