local functions = {}

-- An empty table is an object in JSON, unless it is marked as a list.
function functions.list(items)
  return setmetatable(items or {}, { __type = "slice" })
end
local list = functions.list

functions.all = {
  {
    info = {
      id = "scale",
      name = "Scale",
      description = "The value times a factor",
      type = "transform",
      constants = list {
        { name = "factor", type = "number", description = "The factor", default = 2 },
      },
      inlets = list {
        { name = "value", tag = "value", primitive_type = "NUMERIC", description = "A number" },
      },
      outlets = list {
        { name = "scaled", primitive_type = "NUMERIC", description = "The scaled number" },
      },
    },
    of = function(value, constants) return value * (constants.factor or 2) end,
  },
}

function functions.find(id)
  for _, one in ipairs(functions.all) do
    if one.info.id == id then return one end
  end
end

-- One list of values for the one outlet; a value that is no number says nothing.
function functions.run(found, data, constants)
  local outlet = list()
  for _, signal in ipairs(data or {}) do
    if type(signal.value) == "number" then
      outlet[#outlet + 1] = {
        ts = signal.ts,
        value = found.of(signal.value, constants),
        origin = signal.origin,
        generated = "functions." .. found.info.id,
        tags = signal.tags,
        ttl = signal.ttl,
      }
    end
  end
  return list { outlet }
end

return functions
