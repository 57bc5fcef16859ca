-- The limits of the demo's rule. What has gone critical stays so until it is clearly below.
local critical, normal = 19, 18

return function(temperature, before)
  if temperature > critical then return "critical" end
  if temperature < normal then return "normal" end
  return before or "normal"
end
