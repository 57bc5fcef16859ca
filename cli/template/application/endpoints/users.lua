--#ENDPOINT POST /api/signup
--#RATELIMIT 10
local body = type(request.body) == "table" and request.body or {}
local code = User.createUser { email = body.email, password = body.password, name = body.name }
if type(code) ~= "string" then
  response.code = code.status
  return { error = code.error }
end
Email.send { to = body.email, subject = "Your code", text = "Your code is " .. code }
return { sent = true }

--#ENDPOINT POST /api/activate
local body = type(request.body) == "table" and request.body or {}
local done = User.activateUser { code = body.code }
if type(done) == "table" and done.error then
  response.code = done.status
  return { error = done.error }
end
return { active = true }

--#ENDPOINT POST /api/signin
local body = type(request.body) == "table" and request.body or {}
local token = User.getUserToken { email = body.email, password = body.password }
if type(token) ~= "string" then
  response.code = token.status
  return { error = token.error }
end
return { token = token }

--#ENDPOINT GET /api/me
local user = require("session").user(request)
if not user then
  response.code = 401
  return { error = "Sign in first." }
end
return { email = user.email, name = user.name }
