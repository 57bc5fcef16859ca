-- What the platform gives to scripts: JSON, log, time, modules, services.
local host = ...
local ask, expect, loadModule, number = host.ask, host.expect, host.module, host.number
local kind = math.type
local encode, decode, write = host.encode, host.decode, host.log
local error, pcall, rawget, select, setmetatable = error, pcall, rawget, select, setmetatable
local tostring, type = tostring, type
local concat, lower, upper, sub = table.concat, string.lower, string.upper, string.sub
local gmatch, gsub = string.gmatch, string.gsub

-- JSON -------------------------------------------------------------------------------------------

local null = host.null
host.debug.setmetatable(null, { __tostring = function() return 'null' end, __metatable = false })

function to_json(value)
  local text, problem = encode(value)
  if problem then error(problem, 2) end
  return text
end

function from_json(text)
  if type(text) ~= 'string' then return nil, 'from_json needs a string, not a ' .. type(text) end
  return decode(text)
end

json = { null = null, parse = from_json, stringify = to_json }
function json.is_null(value) return value == nil or value == null end

-- Log --------------------------------------------------------------------------------------------

local function line(...)
  local parts = { ... }
  for index = 1, select('#', ...) do
    local text = tostring(parts[index])
    if type(text) ~= 'string' and not kind(text) then
      error("'tostring' must return a string to 'print'", 3)
    end
    parts[index] = text
  end
  return concat(parts, '\t')
end

log = {}
for _, level in ipairs { 'debug', 'info', 'warn', 'error' } do
  log[level] = function(...) write(level, line(...)) end
end
function print(...) write('info', line(...)) end

-- Time: the clock's, and always UTC. --------------------------------------------------------------

os = { clock = host.clock }
function os.time(fields)
  if fields == nil then return (host.time()) end
  expect(fields, 'table', 1, 'time')
  local seconds, problem = host.time(fields)
  if problem then error(problem, 2) end
  return seconds
end
function os.date(format, seconds)
  if kind(format) then format = tostring(format) end
  if format ~= nil then expect(format, 'string', 1, 'date') end
  if seconds ~= nil then seconds = number(seconds, 2, 'date') end
  local text, problem = host.date(format or '%c', seconds)
  if problem then error(problem, 2) end
  return text
end
function os.difftime(to, from)
  return number(to, 1, 'difftime') - number(from or 0, 2, 'difftime')
end
function os.now() return (host.now()) end
function os.getenv(name)
  if kind(name) then name = tostring(name) end
  expect(name, 'string', 1, 'getenv')
  return (host.env(name))
end

-- How long a function took, in milliseconds of the processor, and what it returned.
bench = {}
function bench.measure(call, ...)
  expect(call, 'function', 1, 'measure')
  local started = host.clock()
  local result = call(...)
  return (host.clock() - started) * 1000, result
end

-- Modules ----------------------------------------------------------------------------------------

local loaded = {
  _G = _G, bit = bit, bit32 = bit32, coroutine = coroutine, json = json, math = math, os = os,
  string = string, table = table, utf8 = utf8,
}
local loading = {}

-- The module of the field for secrets: bytes are strings.
local function checked(value, problem)
  if problem then error(problem, 3) end
  return value
end
local mcrypto = {}
for _, name in ipairs { 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512' } do
  mcrypto[name] = name
end
function mcrypto.rand_bytes(count) return checked(host.randomBytes(number(count, 1, 'rand_bytes'))) end
function mcrypto.b64url_encode(text)
  expect(text, 'string', 1, 'b64url_encode')
  return (host.base64url(text))
end
function mcrypto.hash(text, algorithm)
  expect(text, 'string', 1, 'hash')
  return checked(host.hash(text, tostring(algorithm or 'SHA256')))
end
loaded['staging.mcrypto'] = mcrypto

-- Two calls may load one module at once, where it asks a service meanwhile: only a call that meets
-- its own loading has a loop.
function require(name)
  expect(name, 'string', 1, 'require')
  name = (gsub(name, '/', '.'))
  if loaded[name] ~= nil then return loaded[name] end
  local thread = host.running()
  if loading[name] == thread then
    error("loop or previous error loading module '" .. name .. "'", 2)
  end
  local chunk, problem = loadModule(name)
  -- Scripts of the field rely on it: require(x) or {}.
  if not chunk and not problem then return nil end
  if not chunk then error(problem, 2) end
  loading[name] = thread
  local done, result = pcall(chunk, name)
  loading[name] = nil
  if not done then error(result, 0) end
  if result ~= nil then loaded[name] = result end
  if loaded[name] == nil then loaded[name] = true end
  return loaded[name]
end

-- The global table of a dotted name, made where there is none.
local function globalTable(name)
  local at = _G
  for part in gmatch(name, '[^.]+') do
    local found = rawget(at, part)
    if found == nil then
      found = {}
      at[part] = found
    end
    if type(found) ~= 'table' then error("name conflict for module '" .. name .. "'", 3) end
    at = found
  end
  return at
end

function module(name, ...)
  expect(name, 'string', 1, 'module')
  local space = type(loaded[name]) == 'table' and loaded[name] or globalTable(name)
  space._M, space._NAME = space, name
  loaded[name] = space
  host.setCallerEnvironment(space)
  for index = 1, select('#', ...) do (select(index, ...))(space) end
end

-- Services ---------------------------------------------------------------------------------------

-- A service as it is: every operation is there, the platform says what it does not know.
local function rawService(alias)
  local calls = {}
  return setmetatable({}, {
    __index = function(_, operation)
      if type(operation) ~= 'string' then return nil end
      local call = calls[operation]
      if call == nil then
        call = function(args)
          local answer = ask(alias, operation, args)
          return answer
        end
        calls[operation] = call
      end
      return call
    end,
    __newindex = function() error("murano.services." .. alias .. ' cannot be changed', 2) end,
    __metatable = false,
  })
end

local services = {}
for _, alias in ipairs(host.services) do services[alias] = rawService(alias) end

local function lowered(name) return lower(sub(name, 1, 1)) .. sub(name, 2) end
local function raised(name) return upper(sub(name, 1, 1)) .. sub(name, 2) end

-- As it is written, else with a small first letter.
local function serviceName(name)
  return services[name] and name or services[lowered(name)] and lowered(name) or name
end

murano = {
  services = setmetatable({}, {
    __index = function(_, name)
      if type(name) == 'string' then return services[serviceName(name)] end
    end,
    __newindex = function() error('murano.services cannot be changed', 2) end,
    __metatable = false,
  }),
}
function murano.service_call(service, operation, args)
  expect(service, 'string', 1, 'service_call')
  expect(operation, 'string', 2, 'service_call')
  local answer = ask(serviceName(service), operation, args)
  return answer
end

-- The globals `device2` and `Device2` are one table that scripts may fill with operations of their
-- own; what they do not define is the service's. What Lua defines already keeps its name.
for alias, service in pairs(services) do
  local global = setmetatable({}, { __index = service })
  for _, name in ipairs { alias, lowered(alias), raised(alias) } do
    if rawget(_G, name) == nil then _G[name] = global end
  end
end
