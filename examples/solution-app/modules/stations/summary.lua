-- What all stations said in the last minute, summed up every ten seconds.
local must = require("stations.must")
local summary = {}

local everyMs = 10 * 1000
local metrics = { "temperature", "pressure", "wind" }

-- Sets the timer at the first call, in whichever machine that is.
function summary.begin()
  local timer = { key = "summary timer", command = "setnx", args = { "set" } }
  if must(Keystore.command(timer)).value == "0" then return end
  local answer = Timer.sendInterval { timer_id = "summary", duration = everyMs }
  if answer.error then Keystore.delete { key = timer.key } end
  must(answer)
end

function summary.make()
  local read = must(Tsdb.query {
    metrics = metrics,
    relative_start = "-1m",
    aggregate = { "count", "min", "avg", "max" },
  })
  local made = { at = os.time() }
  for _, row in ipairs(read.values) do
    for index, metric in ipairs(metrics) do
      if not json.is_null(row[index + 1]) then made[metric] = row[index + 1] end
    end
  end
  must(Keystore.set { key = "summary", value = made })
  return made
end

return summary
