-- What `millrace solution test` gives to tests. It runs before the solution's own scripts, so that
-- whatever they call is seen, and can be faked.
local host = murano.services.millracetest
local raw, serviceCall = murano.services, murano.service_call
millracetest, Millracetest = nil, nil

local error, getmetatable, ipairs, pairs, pcall = error, getmetatable, ipairs, pairs, pcall
local rawequal, rawget, select, setmetatable = rawequal, rawget, select, setmetatable
local tostring, type = tostring, type
local concat, sort = table.concat, table.sort
local find, format, lower, match = string.find, string.format, string.lower, string.match
local clock, floor = os.time, math.floor

local fakes, seen, said = {}, {}, {}

-- Services: seen, and faked. -------------------------------------------------------------------------

local function copyOf(value, depth)
  if type(value) ~= 'table' or depth == 0 then return value end
  local copy = setmetatable({}, getmetatable(value) or nil)
  for key, field in pairs(value) do copy[key] = copyOf(field, depth - 1) end
  return copy
end

local function keyOf(alias, operation) return lower(alias) .. '.' .. operation end

local wrappers = {}
local function wrapped(alias, service)
  if wrappers[service] then return wrappers[service] end
  local calls = {}
  wrappers[service] = setmetatable({}, {
    __index = function(_, operation)
      if type(operation) ~= 'string' then return nil end
      if not calls[operation] then
        local key = keyOf(alias, operation)
        calls[operation] = function(args)
          seen[key] = seen[key] or {}
          seen[key][#seen[key] + 1] = args == nil and {} or copyOf(args, 64)
          local fake = fakes[key]
          if fake then return fake(args) end
          return service[operation](args)
        end
      end
      return calls[operation]
    end,
    __newindex = function() error('murano.services.' .. alias .. ' cannot be changed', 2) end,
    __metatable = false,
  })
  return wrappers[service]
end

for name, value in pairs(_G) do
  local meta = type(value) == 'table' and getmetatable(value)
  local service = raw[name]
  if service and type(meta) == 'table' and rawequal(meta.__index, service) then
    meta.__index = wrapped(name, service)
  end
end

murano.services = setmetatable({}, {
  __index = function(_, name)
    local service = raw[name]
    return service and wrapped(name, service)
  end,
  __newindex = function() error('murano.services cannot be changed', 2) end,
  __metatable = false,
})

function murano.service_call(service, operation, args)
  local known = type(operation) == 'string' and raw[service]
  if not known then return serviceCall(service, operation, args) end
  return wrapped(service, known)[operation](args)
end

local function needService(service, operation)
  if type(service) ~= 'string' or type(operation) ~= 'string' then
    error('a service and an operation are needed, such as "Http", "get"', 3)
  end
  if not raw[service] then error('the solution has no service ' .. service, 3) end
  return keyOf(service, operation)
end

local api = {}

-- A function answers in the place of the operation; any other value is the answer; nil ends it.
function api.fake(service, operation, answer)
  local key = needService(service, operation)
  if type(answer) == 'function' or answer == nil then
    fakes[key] = answer
  else
    fakes[key] = function() return answer end
  end
end

-- The arguments of each call so far, oldest first.
function api.calls(service, operation)
  local key = needService(service, operation)
  local list = setmetatable({}, { __type = 'slice' })
  for index, args in ipairs(seen[key] or {}) do list[index] = args end
  return list
end

-- What was printed and logged. -------------------------------------------------------------------------

local function lineOf(...)
  local parts = { ... }
  for index = 1, select('#', ...) do parts[index] = tostring(parts[index]) end
  return concat(parts, '\t')
end

local function keeping(level, write)
  return function(...)
    said[#said + 1] = { level = level, text = lineOf(...) }
    return write(...)
  end
end
for _, level in ipairs { 'debug', 'info', 'warn', 'error' } do
  log[level] = keeping(level, log[level])
end
print = keeping('info', print)

-- Texts, oldest first; of one level, or of all.
function api.printed(level)
  local texts = setmetatable({}, { __type = 'slice' })
  for _, line in ipairs(said) do
    if level == nil or line.level == level then texts[#texts + 1] = line.text end
  end
  return texts
end

-- Calls of the platform. ---------------------------------------------------------------------------------

local failure = { __tostring = function(raised) return raised.error end }

local function asked(operation, args)
  local answer = host[operation](args)
  if type(answer) == 'table' and answer.error then
    local raised = { type = answer.type, error = answer.error, status = answer.status }
    error(setmetatable(raised, failure), 0)
  end
  return answer
end

-- Runs a handler as the platform does, and gives what it returned.
function api.event(service, event, argument)
  if type(service) ~= 'string' or type(event) ~= 'string' then
    error('a service and an event are needed, such as "device2", "event"', 2)
  end
  return asked('event', { service = service, event = event, argument = argument }).value
end

-- What a file of JSON in the folder holds.
function api.event_from(path)
  if type(path) ~= 'string' then error('the path of a file is needed', 2) end
  return asked('file', { path = path }).value
end

-- Asks an endpoint over HTTP: {code, headers, body}.
function api.request(method, path, options)
  if type(method) ~= 'string' or type(path) ~= 'string' then
    error('a method and a path are needed, such as "GET", "/stations"', 2)
  end
  local given = options or {}
  return asked('request', {
    method = method, path = path,
    headers = given.headers, query = given.query, body = given.body,
  })
end

-- Asks again and again until there is a result, and gives it.
function api.wait_for(condition, seconds)
  local untilTime = clock() + (seconds or 10)
  while true do
    local result = condition()
    if result then return result end
    if clock() > untilTime then
      error(format('it did not come to pass within %g seconds', seconds or 10), 2)
    end
    asked('pause', {})
  end
end

-- Expectations. ------------------------------------------------------------------------------------------

local shownMax = 400

local function sortedKeys(value)
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  sort(keys, function(a, b)
    if type(a) == type(b) and type(a) ~= 'table' and type(a) ~= 'boolean' then return a < b end
    return type(a) < type(b)
  end)
  return keys
end

local function shown(value, depth)
  if type(value) == 'string' then return format('%q', value) end
  if type(value) == 'number' and value == floor(value) and value < 2 ^ 53 and value > -2 ^ 53 then
    return format('%d', value)
  end
  if type(value) ~= 'table' or depth == 0 then return tostring(value) end
  local parts = {}
  for _, key in ipairs(sortedKeys(value)) do
    local named = type(key) == 'string' and match(key, '^[%a_][%w_]*$')
    local name = named and key or '[' .. shown(key, depth - 1) .. ']'
    local item = shown(value[key], depth - 1)
    parts[#parts + 1] = type(key) == 'number' and key == #parts + 1 and item or name .. ' = ' .. item
    if #parts > 50 then break end
  end
  return '{' .. concat(parts, ', ') .. '}'
end

local function told(value)
  local text = shown(value, 6)
  return #text <= shownMax and text or text:sub(1, shownMax) .. '…'
end

local function same(a, b, depth)
  if a == b then return true end
  if type(a) ~= 'table' or type(b) ~= 'table' or depth == 0 then return false end
  for key, value in pairs(a) do if not same(value, b[key], depth - 1) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end

local checks = {}
checks.__index = checks
checks.__metatable = false

local function must(holds, text, ...)
  if not holds then error(format(text, ...), 3) end
end

function checks:equals(wanted)
  must(same(self.value, wanted, 64), 'expected %s, was %s', told(wanted), told(self.value))
  return self
end
function checks:differs(other)
  must(not same(self.value, other, 64), 'expected another value than %s', told(other))
  return self
end
function checks:is_nil()
  must(self.value == nil or self.value == json.null, 'expected nil, was %s', told(self.value))
  return self
end
function checks:is_there()
  must(self.value ~= nil and self.value ~= json.null, 'expected a value, was nil')
  return self
end
function checks:near(wanted, distance)
  local value, far = self.value, distance or 1e-9
  local isNear = type(value) == 'number' and value >= wanted - far and value <= wanted + far
  must(isNear, 'expected %s, give or take %s, was %s', told(wanted), told(far), told(value))
  return self
end
-- A part of a text, or an item of a list.
function checks:contains(part)
  local value = self.value
  local has = type(value) == 'string' and find(value, tostring(part), 1, true) ~= nil
  if type(value) == 'table' then
    for _, item in ipairs(value) do has = has or same(item, part, 64) end
  end
  must(has, 'expected to contain %s, was %s', told(part), told(value))
  return self
end
function checks:matches(pattern)
  local value = self.value
  local fits = type(value) == 'string' and find(value, pattern) ~= nil
  must(fits, 'expected to match %s, was %s', told(pattern), told(value))
  return self
end
-- What a service answers where it fails: {type, error, status}.
function checks:is_error(status)
  local value = self.value
  local isError = type(value) == 'table' and value.error ~= nil
  must(isError and (status == nil or value.status == status),
    'expected an error%s, was %s', status and ' of status ' .. status or '', told(value))
  return self
end
-- A function that raises an error, with this text in it.
function checks:fails(text)
  local done, raised = pcall(self.value)
  must(not done, 'expected an error, there was none')
  local words = type(raised) == 'table' and raised.error or tostring(raised)
  local fits = text == nil or find(words, text, 1, true) ~= nil
  must(fits, 'expected an error with %s, was %s', told(text), told(words))
  return self
end

function api.expect(value) return setmetatable({ value = value }, checks) end

-- What a file of tests begins with: its own names, which hide none of the solution's.
function __millrace_test()
  return api.event, api.event_from, api.request, api.wait_for, api.fake, api.calls, api.printed,
    api.expect
end

-- Runs one test in a machine of its own.
function handle_millracetest_run(name)
  local before = rawget(_G, 'before_each')
  if type(before) == 'function' then before() end
  local test = rawget(_G, name)
  if type(test) ~= 'function' then error('there is no function ' .. name, 0) end
  test()
end
