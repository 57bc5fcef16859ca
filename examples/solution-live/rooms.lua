--#ENDPOINT WEBSOCKET /rooms/{room}
local room = websocketInfo.parameters.room
if websocketInfo.type == "open" then
  join(room, websocketInfo.socket_id)
  return { joined = room }
elseif websocketInfo.type == "data" then
  publish(room, websocketInfo.message)
else
  leave(room, websocketInfo.socket_id)
end

--#ENDPOINT POST /rooms/{room}
local text = type(request.body) == "table" and request.body.text
if type(text) ~= "string" then
  response.code = 422
  return { error = "text is missing" }
end
return { sent = publish(request.parameters.room, text) }
