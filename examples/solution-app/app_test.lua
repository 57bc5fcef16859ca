-- Run by: npx millrace solution test examples/solution-app

local function said(identity, temperature)
  local at = os.time() * 1000000
  local point = { readings = { temperature = temperature }, timestamp = at }
  event("weather", "event", { type = "data_in", identity = identity, payload = { point } })
end

function test_every_station_is_listed_with_its_last_reading()
  said("b", 20)
  said("a", 21.5)
  said("b", 19)
  local answer = request("GET", "/stations")
  expect(answer.code):equals(200)
  local ids = {}
  for _, station in ipairs(answer.body.stations) do ids[#ids + 1] = station.id end
  expect(ids):equals { "a", "b" }
  expect(answer.body.stations[2].readings.temperature):equals(19)
end

function test_a_station_is_asked_of_the_connector()
  fake("Weather", "getIdentity", function(args)
    if args.identity ~= "a" then return { type = "QueryError", error = "none", status = 404 } end
    return { readings = { temperature = 3 }, lastseen = 12 }
  end)
  expect(request("GET", "/stations/a").body.readings):equals { temperature = 3 }
  local none = request("GET", "/stations/b")
  expect(none.code):equals(404)
  expect(none.body.error):contains("no such station")
end

function test_only_one_timer_is_set()
  fake("Timer", "sendInterval", { timer_id = "summary" })
  said("a", 1)
  said("a", 2)
  local timers = calls("Timer", "sendInterval")
  expect(#timers):equals(1)
  expect(timers[1].duration):equals(10000)
end

function test_a_timer_that_cannot_be_set_is_tried_again()
  fake("Timer", "sendInterval", { type = "ServerError", error = "full", status = 503 })
  expect(function() said("a", 1) end):fails("full")
  fake("Timer", "sendInterval", { timer_id = "summary" })
  said("a", 2)
  expect(#calls("Timer", "sendInterval")):equals(2)
end

function test_the_timer_sums_up()
  said("a", 10)
  said("b", 14)
  event("timer", "timer", {})
  local summary = request("GET", "/summary").body
  expect(summary.temperature.count):equals(2)
  expect(summary.temperature.avg):near(12)
  expect(printed("info")):contains("2 temperatures, at most 14")
end

function test_names_need_a_key()
  local answer = request("PUT", "/stations/a/name", { body = { name = "Roof" } })
  expect(answer.code):equals(401)
end

function test_history_refuses_what_is_no_number_of_minutes()
  expect(request("GET", "/stations/a/history", { query = { minutes = "x" } }).code):equals(400)
end
