# Starts Mayfly for a script: EXECUTABLE=... ruby -r ./start_mayfly.rb sign_up.rb
# EXECUTABLE is the path of the executable, or the URL of its archive.
require 'digest'
require 'fileutils'
require 'open-uri'
require 'tmpdir'

def required(name)
  ENV.fetch(name) do
    abort "#{name} is not set. Set EXECUTABLE to the path of Mayfly's executable, or to the URL of its archive; for a " \
          "URL, also set EXECUTABLE_SHA256 to the archive's checksum."
  end
end

# Returns a path. Downloads an archive once, and checks it against EXECUTABLE_SHA256, from the release's SHA256SUMS.
def executable(from)
  return from unless from.start_with?('http')

  sum = required('EXECUTABLE_SHA256')
  cache = ENV['XDG_CACHE_HOME'].to_s
  cache = File.join(Dir.home, '.cache') if cache.empty?
  folder = File.join(cache, "mayfly-#{sum}")
  return File.join(folder, 'mayfly') if Dir.exist?(folder)

  archive = URI.parse(from).open('rb', &:read)
  found = Digest::SHA256.hexdigest(archive)
  raise "#{from} has the SHA-256 #{found}, but EXECUTABLE_SHA256 is #{sum}" unless found == sum

  FileUtils.mkdir_p(cache)
  part = Dir.mktmpdir('mayfly-', cache)
  IO.popen(['tar', '-xzf', '-', '-C', part], 'wb') { |tar| tar.write(archive) }
  raise "#{from} cannot be unpacked" unless $?.success?

  begin
    File.rename(part, folder)
  rescue SystemCallError
    # Another process was faster.
    folder = part
  end
  File.join(folder, 'mayfly')
end

arguments = %w[serve --store memory: --http-port 0 --smtp-port 0 --log-level warn]
service = IO.popen([executable(required('EXECUTABLE')), *arguments])
at_exit do
  Process.kill('KILL', service.pid)
  service.close
end
smtp, ENV['MAYFLY_URL'] = service.gets.to_s.match(/^ready smtp=(\S+) http=(\S+)/)&.captures || raise('Mayfly did not start')
ENV['SMTP_HOST'], ENV['SMTP_PORT'] = smtp.match(/^(.*):(\d+)$/).captures
