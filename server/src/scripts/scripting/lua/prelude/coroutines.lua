-- Coroutines of scripts, through which a service call must pass unseen. A call of a handler is a
-- coroutine itself, of which scripts know nothing. To ask a service, the running coroutine yields
-- the marker; each resume of a script's own coroutine passes that on, up to the host, and the
-- answer down again.
local host = ...
local marker = host.marker
local error, type, setmetatable = error, type, setmetatable
local expect = host.expect
local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield
local running, status, close = coroutine.running, coroutine.status, coroutine.close
local isYieldable = coroutine.isyieldable

-- Coroutines that scripts made, and those of them that wait for a service's answer: another call
-- of the same solution runs meanwhile, and must not resume these.
local ours, own = host.ours, host.own
local asking = setmetatable({}, { __mode = 'k' })

function host.ask(service, operation, args)
  if not isYieldable() then
    error('a service cannot be called here: not while scripts are loaded, nor from the '
      .. 'comparison of table.sort, the function of string.gsub or a metamethod of a library', 3)
  end
  return yield(marker, service, operation, args)
end

local function answered(thread, answer)
  asking[thread] = nil
  return answer
end

local function pass(thread, done, ...)
  if not done or (...) ~= marker then return done, ... end
  asking[thread] = true
  return pass(thread, resume(thread, answered(thread, yield(...))))
end

local function resumeOurs(thread, ...)
  if asking[thread] then return false, 'cannot resume non-suspended coroutine' end
  return pass(thread, resume(thread, ...))
end

local function resultOf(done, ...)
  if not done then error((...), 0) end
  return ...
end

function coroutine.create(call)
  expect(call, 'function', 1, 'create')
  return own(create(call))
end

function coroutine.resume(thread, ...)
  expect(thread, 'thread', 1, 'resume')
  return resumeOurs(thread, ...)
end

function coroutine.wrap(call)
  expect(call, 'function', 1, 'wrap')
  local thread = own(create(call))
  return function(...) return resultOf(resumeOurs(thread, ...)) end
end

function coroutine.yield(...)
  if not ours[running()] then error('attempt to yield from outside a coroutine', 2) end
  return yield(...)
end

function coroutine.running()
  local thread = running()
  return ours[thread] and thread or nil
end

function coroutine.isyieldable()
  return ours[running()] ~= nil and isYieldable()
end

function coroutine.status(thread)
  expect(thread, 'thread', 1, 'status')
  return asking[thread] and 'normal' or status(thread)
end

function coroutine.close(thread)
  expect(thread, 'thread', 1, 'close')
  if asking[thread] then error('cannot close a normal coroutine', 2) end
  return close(thread)
end

-- Tells the loader of modules which call runs.
host.running = running
