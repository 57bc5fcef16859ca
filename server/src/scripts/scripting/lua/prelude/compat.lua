-- Lua 5.1 as scripts expect it, on Lua 5.4. Everything here holds what it needs in locals, so that
-- a script that changes globals changes only itself.
local host = ...
local debug = host.debug
local type, error, ipairs, pairs, tonumber = type, error, ipairs, pairs, tonumber
local tostring = tostring
local rawget, floor = rawget, math.floor
local kind, toInteger = math.type, math.tointeger

_VERSION = 'Lua 5.1'
_G.unpack = table.unpack

-- Where Lua looks for the name of a function that was called without one, as by pcall: what its
-- libraries were before a script changed them.
local names = {}
for _, library in ipairs { _G, string, table, math, utf8 } do
  for name, value in pairs(library) do
    if type(value) == 'function' then names[name] = value end
  end
end
debug.getregistry()._LOADED = { _G = names }

-- No files, no binary chunks, no warnings.
local load, collectgarbage = load, collectgarbage
dofile, loadfile, warn = nil, nil, nil
string.dump = nil

-- An argument that is wrong is raised where the script called: error skips the prelude's frames.
local function refuse(position, name, wanted, value)
  local got = value == nil and 'no value' or type(value)
  error(("bad argument #%d to '%s' (%s expected, got %s)"):format(position, name, wanted, got), 2)
end

local function expect(value, wanted, position, name)
  if type(value) ~= wanted then refuse(position, name, wanted, value) end
end
host.expect = expect

-- A number, or a text that is one.
local function number(value, position, name)
  if kind(value) then return value end
  return type(value) == 'string' and tonumber(value) or refuse(position, name, 'number', value)
end
host.number = number

-- A finalizer would run where nobody can count for whom.
local setmetatable = setmetatable
function _G.setmetatable(object, metatable)
  if type(metatable) == 'table' and rawget(metatable, '__gc') ~= nil then
    error('__gc is not allowed', 2)
  end
  return setmetatable(object, metatable)
end
getmetatable('').__metatable = false

-- What scripts ask to be tidy; the collector's settings are not theirs.
local settings = {
  stop = true, restart = true, setpause = true, setstepmul = true, isrunning = true,
  incremental = true, generational = true,
}
function _G.collectgarbage(option)
  if option == nil then option = 'collect' end
  if option == 'count' or option == 'collect' or option == 'step' then
    return collectgarbage(option)
  end
  if settings[option] then return 0 end
  return collectgarbage(option)
end

function gcinfo() return floor(collectgarbage('count')) end

function table.getn(list)
  expect(list, 'table', 1, 'getn')
  return #list
end

function table.maxn(list)
  expect(list, 'table', 1, 'maxn')
  local max = 0
  for key in pairs(list) do
    if type(key) == 'number' and key > max then max = key end
  end
  return max
end

function table.foreach(list, call)
  expect(list, 'table', 1, 'foreach')
  expect(call, 'function', 2, 'foreach')
  for key, value in pairs(list) do
    local result = call(key, value)
    if result ~= nil then return result end
  end
end

function table.foreachi(list, call)
  expect(list, 'table', 1, 'foreachi')
  expect(call, 'function', 2, 'foreachi')
  for index = 1, #list do
    local result = call(index, list[index])
    if result ~= nil then return result end
  end
end

local exp, abs, log, atan, fmod = math.exp, math.abs, math.log, math.atan, math.fmod

-- With whole numbers 5.4 raises where 5.1 gave NaN.
function math.fmod(a, b)
  if b == 0 then b = 0.0 end
  return fmod(a, b)
end
math.mod = math.fmod
function math.pow(base, exponent)
  if kind(base) and kind(exponent) then return base ^ exponent end
  return number(base, 1, 'pow') ^ number(exponent, 2, 'pow')
end
function math.atan2(y, x) return atan(number(y, 1, 'atan2'), number(x, 2, 'atan2')) end
function math.log10(x) return log(number(x, 1, 'log10'), 10) end
function math.cosh(x)
  x = number(x, 1, 'cosh')
  return (exp(x) + exp(-x)) / 2
end
function math.sinh(x)
  x = number(x, 1, 'sinh')
  if abs(x) < 1e-5 then return x + x * x * x / 6 end
  return (exp(x) - exp(-x)) / 2
end
function math.tanh(x)
  x = number(x, 1, 'tanh')
  if abs(x) < 1e-5 then return x - x * x * x / 3 end
  if abs(x) > 20 then return x > 0 and 1 or -1 end
  local up, down = exp(x), exp(-x)
  return (up - down) / (up + down)
end

local function truncated(x) return x < 0 and -floor(-x) or floor(x) end

-- In two steps where 2 ^ e alone would be infinite or nothing.
function math.ldexp(m, e)
  m, e = number(m, 1, 'ldexp'), truncated(number(e, 2, 'ldexp'))
  if e > 1000 then return m * 2.0 ^ 1000 * 2.0 ^ (e - 1000) end
  if e < -1000 then return m * 2.0 ^ -1000 * 2.0 ^ (e + 1000) end
  return m * 2.0 ^ e
end
function math.frexp(x)
  x = number(x, 1, 'frexp')
  if x == 0 or x ~= x or abs(x) == math.huge then return x, 0 end
  local scale = 0
  if abs(x) < 2.0 ^ -1000 then x, scale = x * 2.0 ^ 100, -100 end
  local e = floor(log(abs(x), 2)) + 1
  local m = x / 2.0 ^ (e - 1) / 2
  if abs(m) >= 1 then return m / 2, e + 1 + scale end
  if abs(m) < 0.5 then return m * 2, e - 1 + scale end
  return m, e + scale
end

-- The library truncates where it wants an integer, as 5.1 did; this one must not.
function math.tointeger(x)
  local whole = (kind(x) or type(x) == 'string') and toInteger(x)
  if whole and whole == tonumber(x) then return whole end
  return nil
end

local randomseed = math.randomseed
function math.randomseed(...) randomseed(...) end
randomseed(host.seed(), host.seed())

string.gfind = string.gmatch

-- A userdata that scripts give a metatable, which is its own, none or that of another one.
local newUserdata, setAnyMetatable = host.userdata, debug.setmetatable
local proxies = setmetatable({}, { __mode = 'k' })
function newproxy(like)
  local metatable = proxies[like]
  if like == true then
    metatable = {}
  elseif like and not metatable then
    error("bad argument #1 to 'newproxy' (boolean or proxy expected)", 2)
  end
  if metatable and rawget(metatable, '__gc') ~= nil then error('__gc is not allowed', 2) end
  local proxy = setAnyMetatable(newUserdata(), metatable)
  proxies[proxy] = metatable or false
  return proxy
end

-- Lua 5.4 has environments only of functions that use globals, as an upvalue. Those of other
-- functions are kept here, and so are those of coroutines.
local bare, ofThreads = setmetatable({}, { __mode = 'k' }), setmetatable({}, { __mode = 'k' })
local globals, running = _G, coroutine.running

-- The coroutines of scripts. One in which the platform runs a call is used for others afterwards:
-- in its place stands the call's context.
host.ours = setmetatable({}, { __mode = 'k' })
local ours = host.ours
local function thread()
  local current = running()
  return not ours[current] and rawget(globals, 'context') or current
end

-- The globals of the running coroutine, which are those of texts that it loads.
local function threadGlobals() return ofThreads[thread()] or globals end

-- A coroutine begins with the globals of the one that makes it.
function host.own(made)
  ours[made] = true
  ofThreads[made] = ofThreads[thread()]
  return made
end

function globals.load(chunk, name, mode, environment)
  if environment == nil then environment = threadGlobals() end
  return load(chunk, name, 't', environment)
end

function loadstring(text, name)
  if kind(text) then text = tostring(text) end
  expect(text, 'string', 1, 'loadstring')
  return load(text, name or text, 't', threadGlobals())
end

local function upvalueOf(call)
  local index = 1
  while true do
    local name, value = debug.getupvalue(call, index)
    if name == nil then return nil end
    if name == '_ENV' then return index, value end
    index = index + 1
  end
end

-- The function at a level of the caller's caller; `extra`: frames of the prelude between. A caller
-- that returned what it called is gone: then level 1 has no function.
local function functionAt(level, extra)
  if debug.getinfo(extra, 't').istailcall then
    if level == 1 then return nil end
    extra = extra - 1
  end
  local info = level >= 0 and debug.getinfo(level + extra, 'f')
  if not info then error('invalid level', 3) end
  return info.func
end

local function isOfScripts(call)
  local info = debug.getinfo(call, 'S')
  return info.what ~= 'C' and info.source ~= '=[lua]'
end

function getfenv(call)
  if call == nil then call = 1 end
  if call == 0 then return threadGlobals() end
  if type(call) == 'number' then
    call = functionAt(call, 2)
    if not call then return globals end
  end
  expect(call, 'function', 1, 'getfenv')
  local index, environment = upvalueOf(call)
  if index then return environment end
  return bare[call] or isOfScripts(call) and globals or threadGlobals()
end

local function setEnvironment(call, environment)
  local index = upvalueOf(call)
  if index then
    debug.upvaluejoin(call, index, function() return environment end, 1)
  else
    bare[call] = environment
  end
  return call
end

function setfenv(call, environment)
  expect(environment, 'table', 2, 'setfenv')
  if call == 0 then
    ofThreads[thread()] = environment
    return
  end
  if type(call) == 'number' then
    call = functionAt(call, 2) or error('no function environment for tail call at level 1', 2)
  end
  expect(call, 'function', 1, 'setfenv')
  if not isOfScripts(call) then
    error("'setfenv' cannot change environment of given object", 2)
  end
  return setEnvironment(call, environment)
end

function host.setCallerEnvironment(environment)
  setEnvironment(functionAt(2, 2), environment)
end
