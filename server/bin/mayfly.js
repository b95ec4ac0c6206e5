#!/usr/bin/env node
import { load } from './bundle.js';

load('main.js').run();
