export { type Engine, type EngineOptions, startEngine } from './engine.ts'
