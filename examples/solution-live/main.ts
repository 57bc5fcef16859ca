// Prints what a websocket is sent: node main.ts <url> [how many messages]
const [, , url = '', count = 'Infinity'] = process.argv
const socket = new WebSocket(url)
let left = Number(count)
socket.onmessage = ({ data }) => {
  console.log(data)
  left -= 1
  if (left === 0) socket.close()
}
socket.onclose = ({ code, reason }) => {
  if (left > 0) console.error(`closed: ${code} ${reason}`)
  process.exitCode = left > 0 ? 1 : 0
}
