-- Rooms: a message to a room goes to every socket that has joined it.
local function key(room) return "room " .. room end

local function members(room)
  local found = Keystore.command { key = key(room), command = "smembers" }
  return found.value or {}
end

function join(room, socket)
  Keystore.command { key = key(room), command = "sadd", args = { socket } }
end

function leave(room, socket)
  Keystore.command { key = key(room), command = "srem", args = { socket } }
end

-- Returns the number of sockets that received it. A socket that is gone is removed.
function publish(room, text)
  local received = 0
  for _, socket in ipairs(members(room)) do
    local refused = Websocket.send { socket_id = socket, message = { text = text } }
    if refused == nil then
      received = received + 1
    elseif refused.status == 404 then
      leave(room, socket)
    end
  end
  return received
end
