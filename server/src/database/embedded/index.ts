export { type Engine, type EngineOptions, startEngine } from './engine.ts'
export { worksOn } from './processes.ts'
