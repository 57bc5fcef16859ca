-- What a pump's channels say of its level.
local levels = { high = 8 }

-- The level in a value of data_in: {"001": 7.5}; nil where it says nothing of it.
function levels.read(text)
  local channels = text and from_json(text) or {}
  return channels["001"]
end

return levels
