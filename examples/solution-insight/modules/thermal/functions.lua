-- What the module can do: each function as the protocol describes it, and what it makes of a value.
local functions = {}

-- An empty table is an object in JSON, unless it is marked as a list.
function functions.list(items)
  return setmetatable(items or {}, { __type = "slice" })
end
local list = functions.list

local temperature = {
  name = "temperature",
  tag = "temperature",
  primitive_type = "NUMERIC",
  data_type = list { "TEMPERATURE" },
  data_unit = list { "DEG_CELSIUS" },
  description = "A temperature in degrees Celsius",
}

functions.all = {
  {
    info = {
      id = "fahrenheit",
      name = "Fahrenheit",
      description = "The same temperature in degrees Fahrenheit",
      type = "transform",
      constants = list {},
      inlets = list { temperature },
      outlets = list {
        {
          name = "fahrenheit",
          primitive_type = "NUMERIC",
          data_type = list { "TEMPERATURE" },
          data_unit = list { "DEG_FAHRENHEIT" },
          description = "The temperature in degrees Fahrenheit",
        },
      },
    },
    of = function(celsius) return celsius * 9 / 5 + 32 end,
  },
  {
    info = {
      id = "too_hot",
      name = "Too hot",
      description = "Critical above a temperature, else normal",
      type = "rule",
      constants = list {
        {
          name = "limit",
          type = "number",
          description = "The highest temperature that is normal",
          default = 80,
        },
      },
      inlets = list { temperature },
      outlets = list { { name = "status", primitive_type = "JSON", description = "The status" } },
    },
    of = function(celsius, constants)
      if celsius <= (constants.limit or 80) then return { level = 0 } end
      return { level = 3, type = "too_hot", value = celsius }
    end,
  },
}

function functions.find(id)
  for _, one in ipairs(functions.all) do
    if one.info.id == id then return one end
  end
end

-- One list for the one outlet that each of them has; a value that is no number says nothing.
function functions.run(found, data, constants)
  local outlet = list()
  for _, signal in ipairs(data or {}) do
    if type(signal.value) == "number" then
      outlet[#outlet + 1] = {
        ts = signal.ts,
        value = found.of(signal.value, constants),
        origin = signal.origin,
        generated = "thermal." .. found.info.id,
        tags = signal.tags,
        ttl = signal.ttl,
      }
    end
  end
  return list { outlet }
end

return functions
