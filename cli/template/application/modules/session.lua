-- The user of a request: the token is in "Authorization: Bearer <token>".
local session = {}

function session.user(request)
  local token = (request.headers.authorization or ""):match("^[Bb]earer (%S+)$")
  if not token then return nil end
  local user = User.getCurrentUser { token = token }
  if type(user) ~= "table" or user.error then return nil end
  return user
end

return session
