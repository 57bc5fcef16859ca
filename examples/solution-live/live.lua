-- Rooms: who has joined one hears what is said there.
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

-- How many heard it. A socket that is not there any more has left without a word.
function say(room, text)
  local heard = 0
  for _, socket in ipairs(members(room)) do
    local refused = Websocket.send { socket_id = socket, message = { said = text } }
    if refused == nil then
      heard = heard + 1
    elseif refused.status == 404 then
      leave(room, socket)
    end
  end
  return heard
end
