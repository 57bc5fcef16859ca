export { createDeviceHttp, type DeviceHttp, type DeviceHttpOptions } from './http/server.ts'
export { deviceApiLimits } from './limits.ts'
export { createDeviceMqtt, type DeviceMqtt, type DeviceMqttOptions } from './mqtt/server.ts'
export type { PresenceWanted } from './presence.ts'
