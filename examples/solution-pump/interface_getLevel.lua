--#EVENT interface getLevel
-- A subscriber asks; what is returned is its answer.
local kept = Keystore.get{key = "level of " .. request.device}
if not kept.value then
  return {type = "QueryError", error = "There is no pump " .. request.device, status = 404}
end
return {level = tonumber(kept.value)}
