-- It runs before the scripts of a solution that is replayed: the clock is that of the event, and
-- random numbers are the same in each replay.
local now = 0
local time, date, randomseed = os.time, os.date, math.randomseed
local rawget, globals = rawget, _G

function os.time(fields)
  if fields == nil then return now end
  return time(fields)
end

function os.date(format, seconds)
  if seconds == nil then seconds = now end
  return date(format, seconds)
end

function handle_millracereplay_run(call)
  now = call.now
  randomseed(call.seed)
  return rawget(globals, call.handler)(call.event)
end
