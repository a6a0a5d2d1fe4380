"""What a run of tada.spark moves between machines, by Spark's own count."""


class Shuffled:
    """Told about every step of a run, it knows which of Spark's stages belong to which of tada's."""

    def __init__(self, spark):
        self.store = spark.sparkContext._jsc.sc().statusStore()
        self.gateway = spark.sparkContext._gateway
        self.begins = []  # the first of Spark's stages in each of tada's
        self.levels = 0

    def listen(self, stage, done, total, words):
        if not self.begins or self.begins[-1][0] != stage:
            self.begins.append((stage, len(self._stages())))
        self.levels += stage == "levels" and words.startswith("level ")

    def _stages(self):
        none = self.gateway.jvm.java.util.ArrayList()
        quantiles = self.gateway.new_array(self.gateway.jvm.double, 0)
        listed = self.store.stageList(none, False, False, quantiles, none)
        return sorted((listed.apply(i) for i in range(listed.size())), key=lambda stage: stage.stageId())

    def by_stage(self):
        """Rows and bytes that were written for a shuffle."""
        stages, found = self._stages(), {}
        ends = [*[begin for _, begin in self.begins[1:]], len(stages)]
        for (name, begin), end in zip(self.begins, ends, strict=True):
            records, size = found.get(name, (0, 0))
            for stage in stages[begin:end]:
                records, size = records + stage.shuffleWriteRecords(), size + stage.shuffleWriteBytes()
            found[name] = (records, size)
        return found
