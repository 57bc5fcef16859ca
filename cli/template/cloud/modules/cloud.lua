-- The calls of the cloud. {{token}} is replaced by the secret of the service http.
local cloud = { url = "https://cloud.example.com/v1" }

function cloud.devices()
  local answer = Http.get {
    url = cloud.url .. "/devices",
    headers = { authorization = "Bearer {{token}}" },
  }
  if not answer or answer.error then return nil, answer and answer.error or "no request" end
  if answer.status_code ~= 200 then return nil, "the cloud answered " .. answer.status_code end
  local body = json.parse(answer.body)
  if type(body) ~= "table" or type(body.devices) ~= "table" then return nil, "no list of devices" end
  return body.devices
end

return cloud
